/** The largest number of answers to one prompt. */
export const MAXIMUM_CHOICES = 128;

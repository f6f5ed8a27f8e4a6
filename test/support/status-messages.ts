/** The message of each status, word for word (SERVICE.md, section 7; DECISIONS.md, section 2). */
export const STATUS_MESSAGES: Readonly<Record<number, string>> = {
  400: 'Invalid request parameters',
  401: 'Missing Authentication header',
  403: 'Only management keys can perform this operation',
  404: 'Resource not found',
  408: 'Request Timeout',
  409: 'Resource conflict. Please try again later.',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Rate limit exceeded',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

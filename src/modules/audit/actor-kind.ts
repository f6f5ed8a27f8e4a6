/** Who does something: the holder of a credential, nobody in particular, or whoever runs the `gatehouse` command. */
export const ACTOR_KINDS = ['management_key', 'api_key', 'client_secret', 'anonymous', 'command_line'] as const;

export type ActorKind = (typeof ACTOR_KINDS)[number];

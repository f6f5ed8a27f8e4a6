import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { CHAT_TEXTS } from './chat-texts.js';

type Messages = ClientChatRequest['messages'];

/** Messages that stay together: calls of tools with their results, every other message by itself. */
interface Turn {
  readonly messages: Messages;
  readonly bytes: number;
}

/** The roles of messages that say how to answer: these are never left out. */
const LASTING_ROLES: ReadonlySet<string> = new Set(['system', 'developer']);

/**
 * Shortens a conversation to the bytes that a model reads: messages are left out from its middle outwards, until the rest
 * fits. Those of the system and the last turn always stay, also where they alone are too long.
 *
 * @param largest the bytes of all texts, in UTF-8
 * @returns as it is where it fits
 */
export function compressedConversation(messages: Messages, largest: number): Messages {
  const turns = turnsOf(messages);
  let bytes = turns.reduce((sum, turn) => sum + turn.bytes, 0);
  if (bytes <= largest) return messages;
  const middle = (turns.length - 1) / 2;
  const removable = [...turns.slice(0, -1).entries()]
    .filter(([, turn]) => !LASTING_ROLES.has(turn.messages[0]!.role))
    .sort(([one], [other]) => Math.abs(one - middle) - Math.abs(other - middle));
  const omitted = new Set<Turn>();
  for (const [, turn] of removable) {
    if (bytes <= largest) break;
    omitted.add(turn);
    bytes -= turn.bytes;
  }
  return turns.filter((turn) => !omitted.has(turn)).flatMap((turn) => turn.messages);
}

function turnsOf(messages: Messages): Turn[] {
  const turns: Messages[number][][] = [];
  for (const message of messages) {
    // The result of a call without the call is refused by most providers.
    if (message.role === 'tool' && turns.length > 0) turns.at(-1)!.push(message);
    else turns.push([message]);
  }
  return turns.map((ofTurn) => ({ messages: ofTurn, bytes: CHAT_TEXTS.promptBytesIn({ messages: ofTurn }) }));
}

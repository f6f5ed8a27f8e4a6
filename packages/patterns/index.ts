// Regular expressions of linear time (RE2) that others write: how large they become when they are compiled and how long their matches
// can be, found out before that is done, and threads of bounded time and memory to compile them and to search texts for them.
export { compileMessage } from './compile-message.js';
export { looksAround, maximumMatchLength } from './match-length.js';
export { measurePattern } from './pattern-size.js';
export { type EngineMessages, PatternThread } from './pattern-thread.js';
export { type PatternMatches, type PatternSearch, type SearchPlace, SearchThread } from './search-thread.js';

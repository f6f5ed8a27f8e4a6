import http, { type IncomingMessage, type ServerResponse } from 'node:http';

// A provider that answers at once. A last message like "30 chunks every 20 ms" says what a stream is; the first chunk comes at
// once, and each chunk is sent on its own.

const HEAD = { id: 'chatcmpl-bench', created: 1, model: 'bench', system_fingerprint: 'fp_bench' };

const USAGE = { prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 };

const WHOLE = JSON.stringify({
  ...HEAD,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Nine words are what this answer of mine has.' },
      finish_reason: 'stop',
    },
  ],
  usage: USAGE,
});

const TOKEN = eventOf({
  choices: [{ index: 0, delta: { role: 'assistant', content: ' token' }, finish_reason: null }],
});

const END = `${eventOf({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}${eventOf({ choices: [], usage: USAGE })}data: [DONE]\n\n`;

http
  .createServer((request, response) => void answer(request, response))
  .listen({ port: Number(process.env['PORT']), host: '127.0.0.1', backlog: 4_096 });

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString();
  if (!text.includes('"stream":true')) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': WHOLE.length }).end(WHOLE);
    return;
  }
  const [, chunks = '1', gap = '0'] = /(\d+) chunks every (\d+) ms/.exec(text) ?? [];
  stream(response, Number(chunks), Number(gap));
}

function stream(response: ServerResponse, chunks: number, gapMs: number): void {
  response.socket?.setNoDelay(true);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(TOKEN);
  let sent = 1;
  const timer = setInterval(() => {
    sent += 1;
    if (sent <= chunks) {
      response.write(TOKEN);
      return;
    }
    clearInterval(timer);
    response.end(END);
  }, gapMs);
  response.once('close', () => clearInterval(timer));
}

function eventOf(fields: object): string {
  return `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', ...fields })}\n\n`;
}

import http from 'node:http';

// The floor of inference: a proxy that hands requests and answers on and looks into neither.

const upstream = new URL(`${process.env['UPSTREAM_URL']!}/chat/completions`);

const agent = new http.Agent({ keepAlive: true, maxSockets: 128 });

const server = http.createServer((request, response) => {
  const headers = { ...request.headers, host: upstream.host, authorization: 'Bearer bench' };
  const asked = http.request(upstream, { method: request.method!, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  asked.on('error', () => response.destroy());
  request.pipe(asked);
});

server.listen(Number(process.env['PORT']), '127.0.0.1');

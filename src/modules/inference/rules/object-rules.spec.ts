import { objectRules } from './object-rules.js';

describe('objectRules', () => {
  it.each([
    ['cache_control', { type: 'x' }, 'cache_control.type', 'must be one of: ephemeral'],
    ['cache_control', { type: 'ephemeral', ttl: '2h' }, 'cache_control.ttl', 'must be one of: 5m, 1h'],
    ['prompt_cache_options', { mode: 'x' }, 'prompt_cache_options.mode', 'must be one of: explicit'],
    ['prompt_cache_options', { mode: 'explicit', ttl: 5 }, 'prompt_cache_options.ttl', 'must be string'],
    ['debug', { echo_upstream_body: 'true' }, 'debug.echo_upstream_body', 'must be boolean'],
    ['stream_options', { include_usage: 1 }, 'stream_options.include_usage', 'must be boolean'],
    ['image_config', 5, 'image_config', 'must be object'],
    ['cache_control', ['ephemeral'], 'cache_control', 'must be object'],
  ])('refuses %s of %j', (name, value, path, message) => {
    expect(objectRules({ [name]: value })).toEqual([{ path, message }]);
  });

  it.each([
    {},
    { cache_control: null, debug: null, image_config: null, prompt_cache_options: null, stream_options: null },
    { cache_control: { type: 'ephemeral', ttl: '1h' }, debug: { echo_upstream_body: false }, image_config: { n: 1 } },
    { prompt_cache_options: { mode: 'explicit', ttl: null }, stream_options: { include_usage: true, other: 1 } },
  ])('takes %j', (body) => {
    expect(objectRules(body)).toEqual([]);
  });
});

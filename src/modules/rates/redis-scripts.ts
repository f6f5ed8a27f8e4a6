import { KEPT_SECONDS, WINDOW_SECONDS } from './sliding-window.js';

/**
 * Counts a request for all of its subjects, or for none, by the same rules as windows in memory (sliding-window.ts), and by the clock
 * of Redis.
 *
 * A subject is a hash (KEYS) with what was counted in each second that counts: `r` and `t`, for requests and tokens, and the second.
 * ARGV has the tokens of the request, and for each subject its limits of requests and of tokens, -1 for none.
 *
 * The answer is the present second, the number of the limit that leaves no room, or 0, the seconds until it does, and of each limit,
 * in their order, what is used of it and the seconds until nothing is.
 */
export const COUNT_SCRIPT = `
local now = tonumber(redis.call('TIME')[1])
local amounts = { r = 1, t = tonumber(ARGV[1]) }
local limits, exceeded, retry = {}, 0, 0
for index, key in ipairs(KEYS) do
  local windows = { r = { used = 0, newest = 0, by = {} }, t = { used = 0, newest = 0, by = {} } }
  local fields = redis.call('HGETALL', key)
  for at = 1, #fields, 2 do
    local second = tonumber(string.sub(fields[at], 2))
    local amount = tonumber(fields[at + 1])
    if second < now - ${WINDOW_SECONDS} or second > now + ${WINDOW_SECONDS} then
      redis.call('HDEL', key, fields[at])
    elseif amount > 0 then
      local window = windows[string.sub(fields[at], 1, 1)]
      window.used = window.used + amount
      window.newest = math.max(window.newest, second)
      window.by[second] = amount
    end
  end
  for offset, kind in ipairs({ 'r', 't' }) do
    local limit = tonumber(ARGV[2 * index - 1 + offset])
    if limit >= 0 then
      local window = windows[kind]
      window.key, window.kind = key, kind
      table.insert(limits, window)
      if exceeded == 0 and window.used + amounts[kind] > limit then
        exceeded = #limits
        local left = window.used
        retry = ${KEPT_SECONDS}
        for second = now - ${WINDOW_SECONDS}, now + ${WINDOW_SECONDS} do
          left = left - (window.by[second] or 0)
          if left + amounts[kind] <= limit then
            retry = second + ${KEPT_SECONDS} - now
            break
          end
        end
      end
    end
  end
end
local answer = { now, exceeded, retry }
for _, window in ipairs(limits) do
  if exceeded == 0 then
    redis.call('HINCRBY', window.key, window.kind .. now, string.format('%.0f', amounts[window.kind]))
    redis.call('EXPIRE', window.key, ${2 * WINDOW_SECONDS})
    window.used = window.used + amounts[window.kind]
    window.newest = math.max(window.newest, now)
  end
  table.insert(answer, window.used)
  table.insert(answer, window.newest == 0 and 0 or window.newest + ${KEPT_SECONDS} - now)
end
return answer
`;

/** Corrects what was counted for the subjects in KEYS: ARGV has the second of the request, and the tokens more or, negative, fewer. */
export const CORRECT_SCRIPT = `
local now = tonumber(redis.call('TIME')[1])
local tokens = tonumber(ARGV[2])
for _, key in ipairs(KEYS) do
  local field = 't' .. (tokens < 0 and ARGV[1] or now)
  local counted = redis.call('HGET', key, field)
  if counted or tokens > 0 then
    redis.call('HSET', key, field, string.format('%.0f', math.max(0, (tonumber(counted) or 0) + tokens)))
    redis.call('EXPIRE', key, ${2 * WINDOW_SECONDS})
  end
end
return 0
`;

-- Calculates the cost of every record again, from the usage that the record keeps and the prices that the catalog lists, with the
-- exact decimals of PostgreSQL and without the service (docs/budgets.md#calculated-again):
--
--   psql "$DATABASE_URL" -f catalog/recompute.sql
--
-- One row for each difference, and none where there is no difference. `what` is `charge` (the tokens of an attempt at the prices in the record),
-- `record` (the sum of its attempts, which is what was charged), `prices` (those in the record beside those that the rules of the catalog put in
-- force; they differ where the catalog has changed since) or `uncharged` (a cost without usage, as of records before there was such usage).
-- Requests that were being answered when their replica died are charged what was reserved, and are left out.
WITH charge AS (
  SELECT g.organization_id, g.id, g.created_at AT TIME ZONE 'UTC' AS came_at, c.place,
    c.charge ->> 'model' AS model, c.charge ->> 'endpoint' AS endpoint, (c.charge ->> 'costUsd')::numeric AS cost_usd,
    c.charge -> 'prices' AS prices, c.charge -> 'usage' AS usage
  FROM generations g CROSS JOIN LATERAL jsonb_array_elements(g.details -> 'charges') WITH ORDINALITY AS c (charge, place)
),
counted AS (
  SELECT charge.*, n.*, least(n.written_1h_stated, n.written) AS written_1h,
    greatest(n.prompt - n.cached - n.written, 0) AS uncached, least(n.reasoning_stated, n.completion) AS reasoning
  FROM charge CROSS JOIN LATERAL (
    SELECT coalesce((usage ->> 'promptTokens')::numeric, 0) AS prompt,
      coalesce((usage ->> 'completionTokens')::numeric, 0) AS completion,
      coalesce((usage ->> 'cachedTokens')::numeric, 0) AS cached,
      coalesce((usage ->> 'cacheWriteTokens')::numeric, 0) AS written,
      coalesce((usage ->> 'cacheWriteForAnHourTokens')::numeric, 0) AS written_1h_stated,
      coalesce((usage ->> 'promptAudioTokens')::numeric, 0) AS audio_stated,
      coalesce((usage ->> 'promptImageTokens')::numeric, 0) AS image_stated,
      coalesce((usage ->> 'reasoningTokens')::numeric, 0) AS reasoning_stated,
      coalesce((usage ->> 'completionAudioTokens')::numeric, 0) AS answer_audio_stated,
      coalesce((usage ->> 'searchUnits')::numeric, 1) AS requests,
      coalesce((usage ->> 'inputCharacters')::numeric, 0) AS characters,
      coalesce((usage ->> 'audioSeconds')::numeric, 0) AS seconds,
      coalesce((usage ->> 'promptImages')::numeric, 0) AS images,
      coalesce((usage ->> 'completionImages')::numeric, 0) AS answer_images
  ) AS n
),
parted AS (
  SELECT counted.*, audio.tokens AS audio, least(image_stated, uncached - audio.tokens) AS image,
    least(audio_stated - audio.tokens, cached) AS cached_audio,
    least(answer_audio_stated, completion - reasoning) AS answer_audio
  FROM counted CROSS JOIN LATERAL (SELECT least(audio_stated, uncached) AS tokens) AS audio
),
listed AS (
  SELECT parted.*,
    (SELECT jsonb_object_agg(price.key, trunc(
        trunc((price.value #>> '{}')::numeric, 18) * (1 - coalesce((prices ->> 'discount')::numeric, 0)), 18))
      FROM jsonb_each(prices) AS price WHERE price.key <> 'discount') AS net
  FROM parted
),
priced AS (
  SELECT listed.*, p.*, coalesce((net ->> 'input_cache_write')::numeric, p.of_prompt) AS of_writing,
    coalesce((net ->> 'input_cache_read')::numeric, p.of_prompt) AS of_reading
  FROM listed CROSS JOIN LATERAL (
    SELECT (net ->> 'prompt')::numeric AS of_prompt, (net ->> 'completion')::numeric AS of_answer,
      coalesce((net ->> 'audio')::numeric, (net ->> 'prompt')::numeric) AS of_audio
  ) AS p
),
recomputed AS (
  SELECT organization_id, id, came_at, place, model, endpoint, prompt, prices, cost_usd,
    requests * coalesce((net ->> 'request')::numeric, 0)
      + characters * coalesce((net ->> 'character')::numeric, 0)
      + trunc(seconds * coalesce((net ->> 'second')::numeric, 0), 18)
      + (uncached - audio - image) * of_prompt
      + audio * of_audio
      + image * coalesce((net ->> 'image_token')::numeric, of_prompt)
      + (cached - cached_audio) * of_reading
      + cached_audio * coalesce((net ->> 'input_audio_cache')::numeric, of_reading)
      + (written - written_1h) * of_writing
      + written_1h * coalesce((net ->> 'input_cache_write_1h')::numeric, of_writing)
      + images * coalesce((net ->> 'image')::numeric, 0)
      + (completion - reasoning - answer_audio) * of_answer
      + reasoning * coalesce((net ->> 'internal_reasoning')::numeric, of_answer)
      + answer_audio * coalesce((net ->> 'audio_output')::numeric, greatest(of_answer, of_audio))
      + answer_images * coalesce((net ->> 'image_output')::numeric, 0) AS recomputed_usd
  FROM priced
),
in_force AS (
  SELECT r.id, r.organization_id, r.place, r.prices, (e.pricing - 'overrides') || coalesce((
      SELECT jsonb_object_agg(price.key, price.value ORDER BY o.place)
      FROM jsonb_array_elements(e.pricing -> 'overrides') WITH ORDINALITY AS o (override, place)
      CROSS JOIN LATERAL jsonb_each(o.override - 'min_prompt_tokens' - 'utc_start' - 'utc_end' - 'utc_days') AS price
      CROSS JOIN LATERAL (SELECT to_char(r.came_at, 'HH24MI')::int AS now,
        coalesce((o.override ->> 'utc_start')::numeric, 0) AS first, coalesce((o.override ->> 'utc_end')::numeric, 2400) AS ended) AS clock
      WHERE (NOT o.override ? 'min_prompt_tokens' OR r.prompt > (o.override ->> 'min_prompt_tokens')::numeric)
        AND (NOT o.override ? 'utc_days' OR o.override -> 'utc_days' ? trim(to_char(r.came_at, 'day')))
        AND CASE WHEN clock.first <= clock.ended THEN clock.now >= clock.first AND clock.now < clock.ended
          ELSE clock.now >= clock.first OR clock.now < clock.ended END
    ), '{}') AS expected
  FROM recomputed r JOIN model_endpoints e ON e.model_id = r.model AND e.tag = r.endpoint
)
SELECT 'charge' AS what, organization_id, id, cost_usd::text AS recorded, trim_scale(recomputed_usd)::text AS recomputed
FROM recomputed WHERE cost_usd <> recomputed_usd
UNION ALL
SELECT 'record', g.organization_id, g.id, g.cost_usd::text, trim_scale(sum(r.recomputed_usd))::text
FROM generations g JOIN recomputed r ON r.organization_id = g.organization_id AND r.id = g.id
GROUP BY g.organization_id, g.id, g.cost_usd HAVING g.cost_usd <> sum(r.recomputed_usd)
UNION ALL
SELECT 'prices', organization_id, id, min(prices::text), min(expected::text)
FROM in_force GROUP BY organization_id, id, place HAVING NOT bool_or(prices = expected)
UNION ALL
SELECT 'uncharged', organization_id, id, cost_usd::text, '0'
FROM generations
WHERE cost_usd > 0 AND NOT details ? 'charges' AND details ->> 'refusal' IS DISTINCT FROM 'reservation_expired'
ORDER BY organization_id, id, what

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
    c.charge -> 'prices' AS prices, c.charge -> 'usage' AS usage, (c.charge ->> 'longestPromptTokens')::numeric AS longest_prompt
  FROM generations g CROSS JOIN LATERAL jsonb_array_elements(g.details -> 'charges') WITH ORDINALITY AS c (charge, place)
),
counted AS MATERIALIZED (
  SELECT charge.*, n.*, least(n.written_1h_stated, n.written) AS written_1h,
    greatest(n.prompt - n.cached - n.written, 0) AS uncached, least(n.reasoning_stated, n.completion) AS reasoning,
    n.written - least(n.written_1h_stated, n.written) AS written_5m
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
      coalesce((usage ->> 'completionImageTokens')::numeric, 0) AS answer_image_stated,
      coalesce((usage ->> 'searchUnits')::numeric, 1) AS requests,
      coalesce((usage ->> 'inputCharacters')::numeric, 0) AS characters,
      coalesce((usage ->> 'audioSeconds')::numeric, 0) AS seconds,
      coalesce((usage ->> 'promptImages')::numeric, 0) AS images,
      coalesce((usage ->> 'completionImages')::numeric, 0) AS answer_images
  ) AS n
),
-- How many tokens of audio, and then of images, there are up to the tokens that were read, that were written, and that were written for an hour:
-- they are looked for in what no cache knows first.
bounded AS MATERIALIZED (
  SELECT counted.*, least(audio_stated, uncached) AS audio_0, least(audio_stated, uncached + cached) AS audio_1,
    least(audio_stated, uncached + cached + written_5m) AS audio_2, least(audio_stated, uncached + cached + written) AS audio_3,
    least(answer_audio_stated, completion - reasoning) AS answer_audio
  FROM counted
),
placed AS MATERIALIZED (
  SELECT bounded.*, least(image_stated, uncached - audio_0) AS image_0, least(image_stated, uncached + cached - audio_1) AS image_1,
    least(image_stated, uncached + cached + written_5m - audio_2) AS image_2, least(image_stated, uncached + cached + written - audio_3) AS image_3
  FROM bounded
),
parted AS MATERIALIZED (
  SELECT placed.*, audio_0 AS audio, audio_1 - audio_0 AS cached_audio, audio_2 - audio_1 AS written_audio, audio_3 - audio_2 AS written_1h_audio,
    image_0 AS image, image_1 - image_0 AS cached_image, image_2 - image_1 AS written_image, image_3 - image_2 AS written_1h_image,
    least(answer_image_stated, completion - reasoning - answer_audio) AS answer_image
  FROM placed
),
listed AS MATERIALIZED (
  SELECT parted.*,
    (SELECT jsonb_object_agg(price.key, trunc(
        trunc((price.value #>> '{}')::numeric, 18) * (1 - coalesce((prices ->> 'discount')::numeric, 0)), 18))
      FROM jsonb_each(prices) AS price WHERE price.key <> 'discount') AS net
  FROM parted
),
priced AS MATERIALIZED (
  SELECT listed.*, p.*, w.of_writing,
    coalesce((net ->> 'input_cache_write_1h')::numeric, CASE WHEN is_claude THEN greatest(w.of_writing, 2 * p.of_prompt) ELSE w.of_writing END)
      AS of_writing_1h,
    coalesce((net ->> 'input_cache_read')::numeric, p.of_prompt) AS of_reading,
    coalesce(p.listed_audio, p.of_prompt) AS of_audio, coalesce(p.listed_image, p.of_prompt) AS of_image
  FROM listed CROSS JOIN LATERAL (
    SELECT (net ->> 'prompt')::numeric AS of_prompt, (net ->> 'completion')::numeric AS of_answer,
      (net ->> 'audio')::numeric AS listed_audio, (net ->> 'image_token')::numeric AS listed_image,
      model LIKE 'anthropic/%' AS is_claude
  ) AS p
  CROSS JOIN LATERAL (
    SELECT coalesce((net ->> 'input_cache_write')::numeric, CASE WHEN is_claude THEN trunc(1.25 * p.of_prompt, 18) ELSE p.of_prompt END) AS of_writing
  ) AS w
),
recomputed AS (
  SELECT organization_id, id, came_at, place, model, endpoint, coalesce(longest_prompt, prompt) AS prompt, prices, cost_usd,
    requests * coalesce((net ->> 'request')::numeric, 0)
      + characters * coalesce((net ->> 'character')::numeric, 0)
      + trunc(seconds * coalesce((net ->> 'second')::numeric, 0), 18)
      + (uncached - audio - image) * of_prompt
      + audio * of_audio
      + image * of_image
      + (cached - cached_audio - cached_image) * of_reading
      + cached_audio * coalesce((net ->> 'input_audio_cache')::numeric, greatest(of_reading, listed_audio))
      + cached_image * greatest(of_reading, listed_image)
      + (written_5m - written_audio - written_image) * of_writing
      + written_audio * greatest(of_writing, listed_audio)
      + written_image * greatest(of_writing, listed_image)
      + (written_1h - written_1h_audio - written_1h_image) * of_writing_1h
      + written_1h_audio * greatest(of_writing_1h, listed_audio)
      + written_1h_image * greatest(of_writing_1h, listed_image)
      + images * coalesce((net ->> 'image')::numeric, 0)
      + (completion - reasoning - answer_audio - answer_image) * of_answer
      + reasoning * coalesce((net ->> 'internal_reasoning')::numeric, of_answer)
      + answer_audio * coalesce((net ->> 'audio_output')::numeric, greatest(of_answer, listed_audio))
      + answer_image * coalesce((net ->> 'image_output_token')::numeric, of_answer)
      + answer_images * coalesce((net ->> 'image_output')::numeric, 0) AS recomputed_usd
  FROM priced
),
in_force AS (
  -- What an image costs may stand in the list of image models instead.
  SELECT r.id, r.organization_id, r.place, r.prices, ARRAY['image_output', 'image_output_token'] AS of_images, (e.pricing - 'overrides') || coalesce((
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
FROM in_force GROUP BY organization_id, id, place HAVING NOT bool_or(prices - of_images = expected - of_images)
UNION ALL
SELECT 'uncharged', organization_id, id, cost_usd::text, '0'
FROM generations
WHERE cost_usd > 0 AND NOT details ? 'charges' AND details ->> 'refusal' IS DISTINCT FROM 'reservation_expired'
ORDER BY organization_id, id, what

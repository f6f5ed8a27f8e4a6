import type { Model } from '../dto/model.dto.js';

/** The media type of a feed. */
export const FEED_TYPE = 'application/rss+xml; charset=utf-8';

/** Control characters except white space, and noncharacters: XML 1.0 does not allow them. */
const NOT_IN_XML = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Models as an RSS 2.0 feed. @param path the path of the list of models */
export function modelsFeed(models: readonly Model[], path: string): string {
  const items = models.map(
    (model) =>
      `<item><title>${escaped(model.name)}</title><description>${escaped(model.description)}</description>` +
      `<guid isPermaLink="false">${escaped(model.id)}</guid>` +
      `<pubDate>${new Date(model.created * 1000).toUTCString()}</pubDate></item>`,
  );
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>Models</title>' +
    `<link>${escaped(path)}</link><description>The models of the catalog.</description>${items.join('')}</channel></rss>\n`
  );
}

function escaped(text: string): string {
  return text.replace(NOT_IN_XML, '').replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

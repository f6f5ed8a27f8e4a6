import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EndpointCondition } from './endpoint-order.js';

/** The window that is looked at, in milliseconds, and the number of its parts. */
const WINDOW_MS = 300_000;
const PARTS = 10;

/** Below this number of attempts a share says nothing. */
const ENOUGH_ATTEMPTS = 100;

/** The share of good attempts below which an endpoint is degraded, and below which it is down. */
const NORMAL_SHARE = 0.95;
const DEGRADED_SHARE = 0.8;

/** How long a failure that no success has followed counts as an outage, in milliseconds. */
const OUTAGE_MS = 30_000;

/** More endpoints than catalogs have. */
const MAXIMUM_ENDPOINTS = 10_000;

interface Part {
  /** Which part of the time since the epoch it is. */
  number: number;
  good: number;
  bad: number;
}

interface History {
  readonly parts: (Part | undefined)[];
  lastGoodAt: number;
  lastBadAt: number;
}

/**
 * How well endpoints have answered this process in the last five minutes. It decides about the order of candidates alone, so
 * replicas need not agree.
 */
@Injectable()
export class EndpointHealth {
  private readonly histories = new LRUCache<string, History>({ max: MAXIMUM_ENDPOINTS });

  /**
   * Records an attempt.
   *
   * @param endpoint the model and the tag of the endpoint
   * @param now milliseconds since the epoch
   */
  record(endpoint: string, isGood: boolean, now = Date.now()): void {
    const history = this.histories.get(endpoint) ?? { parts: [], lastGoodAt: 0, lastBadAt: 0 };
    this.histories.set(endpoint, history);
    const number = Math.floor(now / (WINDOW_MS / PARTS));
    const index = number % PARTS;
    let part = history.parts[index];
    if (part?.number !== number) {
      part = { number, good: 0, bad: 0 };
      history.parts[index] = part;
    }
    if (isGood) {
      part.good += 1;
      history.lastGoodAt = now;
    } else {
      part.bad += 1;
      history.lastBadAt = now;
    }
  }

  /** @param now milliseconds since the epoch */
  conditionOf(endpoint: string, now = Date.now()): EndpointCondition {
    const history = this.histories.get(endpoint);
    if (history === undefined) return 'normal';
    const oldest = Math.floor(now / (WINDOW_MS / PARTS)) - PARTS + 1;
    const recent = history.parts.filter((part): part is Part => part !== undefined && part.number >= oldest);
    const good = recent.reduce((sum, part) => sum + part.good, 0);
    const all = recent.reduce((sum, part) => sum + part.bad, good);
    if (all >= ENOUGH_ATTEMPTS && good / all < DEGRADED_SHARE) return 'down';
    const isOut = history.lastBadAt > history.lastGoodAt && now - history.lastBadAt < OUTAGE_MS;
    return isOut || (all >= ENOUGH_ATTEMPTS && good / all < NORMAL_SHARE) ? 'degraded' : 'normal';
  }
}

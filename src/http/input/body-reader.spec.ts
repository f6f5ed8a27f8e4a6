import { EventEmitter } from 'node:events';
import type { GatehouseRequest } from '../request.js';
import { paceIntake } from './body-reader.js';

describe('The intake of a body', () => {
  it.each([
    ['many bytes', 262_144, 2],
    ['many small chunks', 1, 2_048],
  ])('waits for its turn after %s', (_, size, count) => {
    const request = Object.assign(new EventEmitter(), { pause: jest.fn(), resume: jest.fn() });
    const intake = jest.fn(() => new Promise<void>(() => undefined));
    paceIntake(request as unknown as GatehouseRequest, intake);
    const chunk = Buffer.alloc(size);
    for (let sent = 1; sent < count; sent += 1) request.emit('data', chunk);
    expect(intake).not.toHaveBeenCalled();

    request.emit('data', chunk);
    expect(intake).toHaveBeenCalledTimes(1);
    expect(request.pause).toHaveBeenCalledTimes(1);
    expect(request.resume).not.toHaveBeenCalled();
  });
});

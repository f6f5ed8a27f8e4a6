import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../public.decorator.js';
import { Readiness } from './readiness.js';

/**
 * Health checks for load balancers and container platforms; not part of the management interface and without a credential.
 */
@Controller('health')
@Public()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Whether the process is running. */
  @Get('live')
  live(): { status: string } {
    return { status: 'live' };
  }

  /** Whether the process can handle requests: 200 or 503. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<object> {
    const { ready, checks } = await this.readiness.check();
    response.status(ready ? 200 : 503);
    return { status: ready ? 'ready' : 'not_ready', checks };
  }
}

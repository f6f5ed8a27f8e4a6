import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { NotAnOperation } from '../not-an-operation.decorator.js';
import { Readiness } from './readiness.js';

/** Health checks for balancers and container platforms; outside the interface and without a credential. */
@Controller('health')
@ApiExcludeController()
@NotAnOperation()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Whether the process runs at all. */
  @Get('live')
  live(): { status: string } {
    return { status: 'live' };
  }

  /** Whether requests should be sent here: 200 or 503. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<object> {
    const { ready, checks } = await this.readiness.check();
    response.status(ready ? 200 : 503);
    return { status: ready ? 'ready' : 'not_ready', checks };
  }
}

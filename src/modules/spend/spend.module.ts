import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SpendWindowEntity } from './entities/spend-window.entity.js';

/** What was spent, by window, and the limits that it meets (docs/budgets.md). */
@Module({ imports: [TypeOrmModule.forFeature([SpendWindowEntity])] })
export class SpendModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GenerationEntity } from './entities/generation.entity.js';
import { GenerationsController } from './generations.controller.js';
import { GenerationsRepository } from './generations.repository.js';
import { GenerationsService } from './generations.service.js';

/** The records of inference requests. */
@Module({
  imports: [TypeOrmModule.forFeature([GenerationEntity])],
  controllers: [GenerationsController],
  providers: [GenerationsRepository, GenerationsService],
  exports: [GenerationsService],
})
export class GenerationsModule {}

import { Module } from '@nestjs/common';
import { DescriptionController } from './description.controller.js';

/** Describes the service: errors, limits and the OpenAPI description. */
@Module({ controllers: [DescriptionController] })
export class DescriptionModule {}

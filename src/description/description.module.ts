import { Module } from '@nestjs/common';
import { DescriptionController } from './description.controller.js';

/** What the service says about itself: errors and limits. */
@Module({ controllers: [DescriptionController] })
export class DescriptionModule {}

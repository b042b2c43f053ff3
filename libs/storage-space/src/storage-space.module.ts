import { Module, type DynamicModule } from '@nestjs/common';
import { UnitOfWork } from '#libs/database';
import { StorageReportsRepository } from './storage-reports.repository.js';
import { StorageSpace, type SpaceRules } from './storage-space.js';
import type { Volumes } from './volumes.js';

export interface StorageSpaceOptions extends SpaceRules {
  readonly volumes: Volumes;
}

/** Provides `StorageSpace` everywhere. */
@Module({})
export class StorageSpaceModule {
  static forRoot({ volumes, ...rules }: StorageSpaceOptions): DynamicModule {
    return {
      module: StorageSpaceModule,
      global: true,
      providers: [
        {
          provide: StorageSpace,
          inject: [UnitOfWork],
          useFactory: (unitOfWork: UnitOfWork) =>
            new StorageSpace(volumes, new StorageReportsRepository(unitOfWork), rules),
        },
      ],
      exports: [StorageSpace],
    };
  }
}

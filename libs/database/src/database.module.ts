import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AuditLog } from './audit-log.js';
import { FileRemovals } from './backup/file-removals.js';
import { Database } from './database.js';
import { StorePlacements } from './store-placements.js';
import { UnitOfWork } from './unit-of-work.js';

/** Provides the open database to every module. The code that opened it closes it, after the application has stopped. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(database: Database): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [{ provide: Database, useValue: database }, UnitOfWork, StorePlacements, AuditLog, FileRemovals],
      exports: [Database, UnitOfWork, StorePlacements, AuditLog, FileRemovals],
    };
  }
}

import { Global, Module, type DynamicModule } from '@nestjs/common';
import { PRESENT_PROCESS, ProcessPresence, type PresentProcess } from './process-presence.js';
import { ProcessesRepository } from './processes.repository.js';
import { WaitCauses } from './wait-causes.js';

/** Live processes and the work that waits for them; for every process. */
@Global()
@Module({})
export class ProcessesModule {
  static forRoot(process: PresentProcess): DynamicModule {
    return {
      module: ProcessesModule,
      providers: [{ provide: PRESENT_PROCESS, useValue: process }, ProcessesRepository, ProcessPresence, WaitCauses],
      exports: [PRESENT_PROCESS, ProcessesRepository, WaitCauses],
    };
  }
}

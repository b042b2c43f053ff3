import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Settings } from './load-settings.js';
import type { SettingsValues } from './settings.js';

/** Gives the checked settings to every module under the token `Settings`. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(values: SettingsValues): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: Settings, useValue: { values } }], exports: [Settings] };
  }
}

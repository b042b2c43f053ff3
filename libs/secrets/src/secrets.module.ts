import { Global, Module } from '@nestjs/common';
import { Settings } from '#libs/config';
import { SecretsBox } from './secrets-box.js';
import { loadSecretsKeys } from './secrets-keys.js';

/** Provides the one `SecretsBox` of the process. */
@Global()
@Module({
  providers: [
    {
      provide: SecretsBox,
      inject: [Settings],
      useFactory: async ({ values }: Settings) => new SecretsBox(await loadSecretsKeys(values)),
    },
  ],
  exports: [SecretsBox],
})
export class SecretsModule {}

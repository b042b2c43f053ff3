import { Module } from '@nestjs/common';
import { definePlugin } from 'knowledge-base-service/extension';
import { acmeModel, acmeStore, noteFormat } from './adapters.js';
import { CountsRepository } from './counts.repository.js';
import { CountsSubscriber } from './counts.subscriber.js';
import { migrations } from './migrations.js';
import { NotesController } from './notes.controller.js';
import { NotesRepository } from './notes.repository.js';
import { NotesService } from './notes.service.js';
import { RecountHandler } from './recount.task.js';
import { TodosRepository } from './todos.repository.js';
import { TodosStep } from './todos.step.js';

@Module({
  controllers: [NotesController],
  providers: [NotesService, NotesRepository, CountsRepository, TodosRepository, CountsSubscriber, RecountHandler, TodosStep],
})
class NotesModule {}

export default definePlugin({
  name: 'acme-notes',
  modules: [NotesModule],
  vectorStores: [acmeStore],
  chatModels: [acmeModel],
  formats: [noteFormat],
  migrations,
});

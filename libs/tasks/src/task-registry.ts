import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { TaskDefinition } from './task-definition.js';
import { HANDLED_TASK, type TaskHandler } from './task-handler.js';

/** A kind of tasks and its handler. */
export interface HandledKind {
  readonly definition: TaskDefinition;
  readonly handler: TaskHandler<object>;
}

/** Finds the handlers among the providers of all modules of the process. */
@Injectable()
export class TaskRegistry {
  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws Error when two providers handle the same kind, or one that says so cannot */
  list(): HandledKind[] {
    const found = new Map<string, { readonly kind: HandledKind; readonly name: string }>();
    for (const wrapper of this.discovery.getProviders({ metadataKey: HANDLED_TASK.KEY })) {
      const definition = this.discovery.getMetadataByDecorator(HANDLED_TASK, wrapper);
      const handler = wrapper.instance as TaskHandler<object> | undefined;
      const name = String(wrapper.name);
      if (definition === undefined || typeof handler?.run !== 'function') {
        throw new Error(`${name} is marked as a task handler but has no method run.`);
      }
      const other = found.get(definition.kind);
      if (other !== undefined && other.kind.handler !== handler) {
        throw new Error(
          `${other.name} and ${name} both handle tasks of kind ${definition.kind}; a kind has one handler.`,
        );
      }
      found.set(definition.kind, { kind: { definition, handler }, name });
    }
    return [...found.values()].map(({ kind }) => kind);
  }
}

import { getMetadataArgsStorage } from 'typeorm';

/** An entity as TypeORM keeps it: a class, which it types as Function. */
type EntityClass = Function;

/**
 * The classes with `@Entity` that this process has loaded, whichever module or package they come from. A repository imports its
 * entity, so what is there to be asked is there to be mapped, and no one keeps a list.
 */
export function loadedEntities(): EntityClass[] {
  return getMetadataArgsStorage()
    .tables.map(({ target }) => target)
    .filter((target): target is EntityClass => typeof target === 'function');
}

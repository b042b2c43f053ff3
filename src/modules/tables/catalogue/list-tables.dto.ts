import { ListQueryDto, Text } from '#libs/http';

export class ListTablesQuery extends ListQueryDto {
  /** Only tables with this text in their name, title, columns or the names of their documents; case is ignored. */
  @Text({ query: true, min: 1, max: 200 })
  q?: string;
}

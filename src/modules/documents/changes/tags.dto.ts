import { Answer, ListQueryDto, PageOf, Text } from '#libs/http';

/** Filter and paging of tags. */
export class ListTagsQuery extends ListQueryDto {
  /** Only tags that contain this text; case is ignored. */
  @Text({ query: true, max: 256, described: { pattern: '^[^\\u0000]*$' } })
  q?: string;
}

/** A tag and how many documents carry it. */
export class TagFacet {
  /** The tag. */
  tag!: string;

  /** Number of documents with this tag. */
  @Answer.Integer({ min: 1 })
  count!: number;
}

/** A page of tags, the most frequent first. */
export class TagPage extends PageOf(TagFacet, {
  items: 'The tags of this page.',
  total: 'Total number of tags.',
  rows: 'tags',
  least: { limit: 1 },
}) {}

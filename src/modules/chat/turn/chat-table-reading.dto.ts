import { Answer } from '#libs/http';
import { ApiProperty } from '@nestjs/swagger';
import {
  PART_FUNCTIONS,
  PART_OPERATORS,
  PART_TASKS,
  type ConditionParts,
  type QueryParts,
} from '../../tables/index.js';

/** A condition on the rows of a table. */
export class ChatTableCondition {
  /** Header of the column. */
  @Answer.Text()
  column!: string;

  /** How the column compares. `between` includes both ends. */
  @Answer.Choice(PART_OPERATORS)
  operator!: ConditionParts['operator'];

  /** Values: two for `between`, none for `empty` and `not_empty`. */
  @ApiProperty({ type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] } })
  values!: readonly (string | number | boolean)[];
}

/** A value computed from the rows. */
export class ChatTableMeasure {
  /** The function. `count` counts rows. */
  @Answer.Choice(PART_FUNCTIONS)
  function!: (typeof PART_FUNCTIONS)[number];

  /** Header of the column; null: rows are counted. */
  @Answer.Text({ nullable: true })
  column!: string | null;
}

/** Order of rows or groups. */
export class ChatTableOrder {
  /** Header of the column; null: the value computed for each group. */
  @Answer.Text({ nullable: true })
  column!: string | null;

  /** Whether the order is descending. */
  @Answer.Flag()
  descending!: boolean;
}

/** What a statement over a table reads. */
export class ChatTableQuery {
  /** `rows`: shows columns of rows. `measure`: computes a value. `groups`: computes a value for each group. `exists`: whether there is a row. */
  @Answer.Choice(PART_TASKS)
  task!: QueryParts['task'];

  /** The value that is computed; null when none is. */
  @Answer.Nested(ChatTableMeasure, { nullable: true })
  measure!: ChatTableMeasure | null;

  /** Headers of the columns that are shown; for `groups` the column by which rows are grouped. */
  @Answer.Texts()
  columns!: readonly string[];

  /** Conditions that must all hold for a row. */
  @Answer.NestedList(ChatTableCondition)
  conditions!: readonly ChatTableCondition[];

  /** Order of rows or groups; null: as in the table. */
  @Answer.Nested(ChatTableOrder, { nullable: true })
  order!: ChatTableOrder | null;

  /** Maximum number of rows or groups, the first in this order; null: all. */
  @Answer.Integer({ nullable: true, min: 1 })
  limit!: number | null;
}

/** How a table was queried. */
export class ChatTableReading {
  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Name of the table, single or combined. */
  table!: string;

  /** The SQL statement; `POST /datasets/{id}/tables/query/sql` accepts it unchanged. */
  sql!: string;

  /** What the statement does, in a sentence. */
  explanation!: string;

  /**
   * What the statement reads, in parts, from which a user interface can make a sentence in its own language; null when the parts do not cover the
   * statement: see `explanation`. Absent in answers that were kept before this was recorded.
   */
  @Answer.Nested(ChatTableQuery, { optional: true, nullable: true })
  reading?: ChatTableQuery | null;

  /** Assumptions made where the question is ambiguous. */
  @Answer.Texts()
  assumptions!: string[];

  /** How well the words of the question fit the table, 0 to 1, as in `POST /datasets/{id}/tables/query/natural-language`. */
  @Answer.Share()
  confidence!: number;

  /** Number of rows that the answer is computed from; `sources` hold some of them. */
  @Answer.Count()
  row_count!: number;
}

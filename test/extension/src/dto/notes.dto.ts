import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';

/** A new note. */
export class CreateNoteRequest {
  @ApiProperty({ type: String, minLength: 1, maxLength: 200, description: 'What it is called; unique in the tenant.', example: 'Pump' })
  @IsString()
  @Length(1, 200)
  title!: string;

  @ApiProperty({ type: String, maxLength: 20_000, description: 'Its text.', example: 'The pump needs oil.' })
  @IsString()
  @Length(0, 20_000)
  body!: string;
}

/** A note. */
export class Note {
  @ApiProperty({ type: String, format: 'uuid', description: 'The note.' })
  id!: string;

  @ApiProperty({ type: String, description: 'What it is called.' })
  title!: string;

  @ApiProperty({ type: String, description: 'Its text.' })
  body!: string;

  @ApiProperty({ type: 'integer', description: 'How many words its text has.' })
  words!: number;

  @ApiProperty({ type: String, format: 'date-time', description: 'Time of creation.' })
  created_at!: string;
}

/** What every page says. */
class PageOf {
  @ApiProperty({ type: 'integer', description: 'Total number of notes.' })
  total!: number;

  @ApiProperty({ type: 'integer', description: 'Number of rows left out at the beginning.' })
  skip!: number;

  @ApiProperty({ type: 'integer', description: 'Maximum number of rows in a page.' })
  limit!: number;
}

/** A page of notes, the newest first. */
export class NotePage extends PageOf {
  @ApiProperty({ type: [Note], description: 'The notes of this page.' })
  items!: Note[];
}

/** The completed documents of a dataset. */
export class DatasetCount {
  @ApiProperty({ type: String, format: 'uuid', description: 'The dataset.' })
  dataset_id!: string;

  @ApiProperty({ type: 'integer', description: 'How many documents of it are completed.' })
  documents!: number;
}

/** A page of counts. */
export class CountPage extends PageOf {
  @ApiProperty({ type: [DatasetCount], description: 'The counts of this page.' })
  items!: DatasetCount[];
}

/** A line of a document that begins with TODO. */
export class Todo {
  @ApiProperty({ type: 'integer', description: 'Where it begins in the text of the document, in UTF-16 code units.' })
  text_start!: number;

  @ApiProperty({ type: String, description: 'The line.' })
  body!: string;
}

/** A page of lines, in the order of the document. */
export class TodoPage extends PageOf {
  @ApiProperty({ type: [Todo], description: 'The lines of this page.' })
  items!: Todo[];
}

/** A recount of the words of all notes. */
export class Recount {
  @ApiProperty({ type: String, format: 'uuid', description: 'The recount.' })
  id!: string;

  @ApiProperty({ type: String, enum: ['pending', 'running', 'completed', 'failed', 'cancelled'], description: 'Where it stands.' })
  status!: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';

  @ApiProperty({ type: 'integer', description: 'How many notes are counted so far.' })
  notes!: number;
}

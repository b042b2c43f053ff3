import { Injectable } from '@nestjs/common';
import type { EmbeddingScale, MeaningCentre } from '#libs/ai';
import { columnsOf, statement, systemRowsOf, UnitOfWork } from '#libs/database';
import { EmbeddingScaleEntity } from './embedding-scale.entity.js';

const FIND = statement(columnsOf(EmbeddingScaleEntity, 'scale'), `SELECT scale FROM embedding_scales WHERE space = $1`);
const INSERT = statement(
  {},
  `INSERT INTO embedding_scales (space, scale) VALUES ($1, $2) ON CONFLICT (space) DO NOTHING`,
);

const ADD_CENTRE = statement(
  {},
  `UPDATE embedding_scales SET scale = scale || jsonb_build_object('centre', $2::jsonb)
   WHERE space = $1 AND NOT scale ? 'centre'`,
);

/** Stores the scales of embedding spaces for all processes of the installation. */
@Injectable()
export class EmbeddingScalesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async find(space: string): Promise<EmbeddingScale | undefined> {
    const [row] = await systemRowsOf(this.unitOfWork, FIND, [space]);
    return row?.scale;
  }

  /** Stores a scale unless the space has one, and gives the stored one. */
  async keep(space: string, scale: EmbeddingScale): Promise<EmbeddingScale> {
    await systemRowsOf(this.unitOfWork, INSERT, [space, JSON.stringify(scale)]);
    return (await this.find(space)) ?? scale;
  }

  /** Adds the centre to a scale that has none, and gives the stored scale. */
  async addCentre(space: string, centre: MeaningCentre): Promise<EmbeddingScale | undefined> {
    await systemRowsOf(this.unitOfWork, ADD_CENTRE, [space, JSON.stringify(centre)]);
    return this.find(space);
  }
}

import { Injectable } from '@nestjs/common';
import { pauseAfter, type JsonObject } from '#libs/common';
import { Settings } from '#libs/config';
import { TaskPostponed, type RunningTask } from '#libs/tasks';
import { KgGraphsRepository } from '../graphs/kg-graphs.repository.js';
import type { ExtractionStop } from '../model/extraction-stop.js';
import { KgDocumentsRepository, type WantedDocuments } from '../graphs/kg-documents.repository.js';
import type { KgExtractionPayload } from './kg-extraction.task.js';

const MS_PER_HOUR = 3_600_000;
const MS_PER_SECOND = 1_000;

/** Ends, or postpones, an extraction that cannot call its model. */
@Injectable()
export class KgRunEnds {
  constructor(
    private readonly graphs: KgGraphsRepository,
    private readonly documents: KgDocumentsRepository,
    private readonly settings: Settings,
  ) {}

  /**
   * A run waits for a provider that asks for a pause as long as ingestion would. Otherwise the run ends here and records what remains.
   * @throws TaskPostponed while it waits
   */
  async endEarly(
    { ctx, id, payload }: RunningTask<KgExtractionPayload>,
    wanted: WantedDocuments,
    stop: ExtractionStop,
  ): Promise<JsonObject> {
    if (stop.kind === 'later') {
      const since = await this.graphs.wait(ctx, payload.graphId, id);
      const waitedMs = since === undefined ? 0 : Math.max(0, Date.now() - since.getTime());
      if (waitedMs < this.settings.values.providerPatienceHours * MS_PER_HOUR) {
        const tries = 1 + Math.floor(Math.log2(1 + waitedMs / MS_PER_SECOND));
        throw new TaskPostponed(stop.message, pauseAfter(tries, stop.retryAfter));
      }
    }
    const told = 'code' in stop ? stop : { code: 'kg.lost', message: 'No text can be read at the moment.' };
    const { open: documents, chunks } = await this.documents.count(ctx, wanted);
    const failure = { code: told.code, message: told.message };
    await this.graphs.end(ctx, payload.graphId, id, { failure, remaining: { documents, chunks } });
    return { ended: told.code };
  }
}

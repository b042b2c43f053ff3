import { result, statement, systemRowsOf, UnitOfWork } from '#libs/database';
import { openRunningDatabase } from '../open-running-database.js';
import { ModelError } from './model.errors.js';

/** Languages that fewer than one document in this many is written in are left out: mostly a wrong guess. */
const FEWEST_OF = 50;

const COUNT = statement(
  { language: result.text(), documents: result.integer },
  `SELECT coalesce(d.language, 'und') AS language, count(*)::int AS documents FROM documents d
   WHERE d.dataset_id = $1::uuid AND d.deleted_at IS NULL AND d.language IS NOT NULL AND d.language <> 'und'
   GROUP BY d.language ORDER BY documents DESC, d.language`,
);

/** The languages of a dataset's documents, most documents first; the service may run or not. @throws ModelError where there are none */
export async function languagesOfDataset(id: string): Promise<string[]> {
  if (!/^[0-9a-f-]{36}$/i.test(id)) throw new ModelError(`${JSON.stringify(id)} is no id of a dataset.`);
  const command = await openRunningDatabase();
  try {
    const rows = await systemRowsOf(new UnitOfWork(command.database), COUNT, [id]);
    const all = rows.reduce((sum, { documents }) => sum + documents, 0);
    const languages = rows.filter(({ documents }) => documents * FEWEST_OF >= all).map(({ language }) => language);
    if (languages.length > 0) return languages;
    throw new ModelError(`There is no dataset ${id}, or no document in it whose language is known.`);
  } finally {
    await command.close();
  }
}

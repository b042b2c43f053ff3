import type { Schema } from '../api/client';

/** Where a dataset opens: who only reads came to ask. */
export const openingOf = ({ id, effective_permissions: permissions }: Schema<'Dataset'>): string =>
  `/d/${id}/${permissions.includes('documents:write') ? 'documents' : 'ask'}`;

import { onDemand } from '../ui/on-demand';

/** What shows a PDF. */
export const PdfPane = onDemand(() => import('./pdf-page'), <div />);

import { defineErrors } from '#libs/common';

export const scanErrors = defineErrors('scans', {
  not_found: {
    status: 404,
    title: 'Scan not found',
    detail: () => 'There is no such scan of the dataset.',
  },
  already_running: {
    status: 409,
    title: 'A scan is running',
    detail: (f: { kind: string; scanRunId: string }) =>
      `A ${f.kind} scan of the dataset is running: ${f.scanRunId}. Wait until it ends, or cancel it.`,
  },
  ended: {
    status: 409,
    title: 'Scan has ended',
    detail: (f: { status: string }) => `The scan is ${f.status}: there is nothing left to cancel.`,
  },
  nothing_before: {
    status: 409,
    title: 'No earlier scan',
    detail: () => 'No scan of the dataset completed before this one. Name another scan in the parameter with.',
  },
  nothing_prechecked: {
    status: 409,
    title: 'No precheck yet',
    detail: () => 'No precheck of the dataset has completed. Start one with POST /datasets/{id}/precheck/scans.',
  },
  not_completed: {
    status: 409,
    title: 'Scan has not completed',
    detail: (f: { scanRunId: string; status: string }) =>
      `The scan ${f.scanRunId} is ${f.status}. Only completed scans can be compared.`,
  },
});

/** A webhook that leads nowhere, no matter who resolves it (RFC 6761), and is told of nothing that happens in the matrix. */
export const UNHEARD_WEBHOOK = { url: 'https://hooks.invalid/knowledge', events: ['kg.completed'] };

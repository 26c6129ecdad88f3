/**
 * A connection stays open longer than a proxy keeps it (Caddy: two minutes): if we closed it first, a request on its way would be
 * lost.
 */
export const http_server = { keepAliveTimeout: 130_000 }

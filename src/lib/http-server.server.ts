/**
 * A connection stays open longer than a proxy keeps it to send more on (Caddy two minutes): were it closed
 * here first, a request that is on its way would be lost with it.
 */
export const http_server = { keepAliveTimeout: 130_000 }

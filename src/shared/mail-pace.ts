/** The time in which a notice comes by mail: `private.due_digests` gathers those of half an hour. */
export const by_email = 'by email within half an hour'

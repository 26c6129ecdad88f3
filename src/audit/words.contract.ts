// Who did what is on record, in the words of all screens that tell of it.
type Entry = { actor_name: string | null; actor_role: string }

const nameless: Record<string, string> = {
  super_admin: 'Healthfund',
  system: 'The system',
  api_key: 'An API key',
}

/** Who did it, as far as the reader may know. */
export const actorOf = ({ actor_name, actor_role }: Entry): string =>
  actor_name ?? nameless[actor_role] ?? 'A removed account'

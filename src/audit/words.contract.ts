// The actors of recorded changes, in the words of all screens that show them.
type EntryActor = { actor_name: string | null; actor_role: string }

const nameless: Record<string, string> = {
  super_admin: 'Healthfund',
  system: 'The system',
  api_key: 'An API key',
  waiting: 'Somebody who asked to join',
}

export const actorNameOf = ({ actor_name, actor_role }: EntryActor): string =>
  actor_name ?? nameless[actor_role] ?? 'A removed account'

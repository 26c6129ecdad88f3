// Notifications as people read them, and the record sealed.
import { sealEntries } from '#audit/jobs.server.ts'
import type { Sql } from '#lib/db.server.ts'
import { in_mails } from '#lib/writing.ts'
import { inWords } from '#notifications/words.contract.ts'
import type { Person } from './people.ts'

type NoticeReader = Pick<Person, 'api'>

/** The kinds of a person's notifications, newest first. */
export const codesOf = async ({ api }: NoticeReader) =>
  (await api.notifications.list({})).notifications.map(({ code }) => code)

/** The unread notifications under a person's bell, newest first; this marks them read. */
export async function unreadOf({ api }: NoticeReader) {
  const { notifications } = await api.notifications.list({})
  await api.notifications.read_all({})
  return notifications.filter(({ read_at }) => !read_at)
}
export const unreadInWords = async (person: NoticeReader) =>
  (await unreadOf(person)).map((notification) => inWords(notification, in_mails))
export const titlesOf = async (person: NoticeReader) =>
  (await unreadInWords(person)).map(({ title }) => title)

/** Seals all that was written so far: an entry is sealed once nobody can write in front of it, by a second round. */
export async function sealRecord(sql: Sql) {
  for (let times = 0; times < 2; times += 1) await sealEntries(sql)
}

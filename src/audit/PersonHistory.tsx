import { useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Pager } from '#ui/Pager.tsx'
import { Table } from '#ui/Table.tsx'
import { usePageKey } from '#ui/url-state.ts'
import { ActLine, EntrySheet } from './EntrySheet.tsx'
import { actsOf, type AuditStory } from './story.ts'

/** The changes to a person, their family and their money, and by whom: the record's own sentences. */
export function PersonHistory({ person_id }: { person_id: string }) {
  const { after } = usePageKey()
  const [shown, setShown] = useState<AuditStory>()
  const found = useRead(lazy_api.audit.list, { about: person_id, after, limit: 20 }, { keep: true })
  const names = found?.names ?? {}
  return (
    <Card
      title="History"
      description="Changes to this person, their family and money, newest first"
      flush
    >
      <Table
        label="History"
        rows={found && actsOf(found.entries)}
        onPress={setShown}
        empty="No changes yet"
        columns={{
          What: (act) => <ActLine act={act} names={names} />,
          When: {
            end: true,
            phone: 'below',
            cell: ({ lead }) => <DateText value={lead.at} show="moment" />,
          },
        }}
      />
      <Pager next={found?.next} />
      <EntrySheet act={shown} names={names} onClose={() => setShown(undefined)} />
    </Card>
  )
}

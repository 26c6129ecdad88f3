import { useState } from 'react'
import { api } from '#api/api.ts'
import { useClaimsTabs } from '#permissions/use-may.ts'
import { useRead } from '#ui/ask.ts'
import { Card } from '#ui/Card.tsx'
import { LinkTabs } from '#ui/LinkTabs.tsx'
import { Page } from '#ui/Page.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { ClaimTypes } from './ClaimTypes.tsx'
import { Limits } from './Limits.tsx'
import { PolicyEditor } from './PolicyEditor.tsx'
import { PolicyHistory } from './PolicyHistory.tsx'

export function PolicyPage() {
  const policy = useRead(api.policies.current, {})
  const [opened, setOpened] = useState(policy)
  if (policy && !opened) setOpened(policy)
  return (
    <Page
      title="Policy"
      description="The rules claims are decided by. Each claim keeps the policy in force when it was submitted."
    >
      <LinkTabs label="Claims" tabs={useClaimsTabs()} />
      {policy ? (
        <PolicyEditor
          opened={opened ?? policy}
          policy={policy}
          onSaved={(saved) => setOpened({ ...policy, ...saved })}
        />
      ) : (
        <Card>
          <Skeleton className="h-96 w-full" />
        </Card>
      )}
      <Limits currency={policy?.currency} />
      <ClaimTypes />
      <PolicyHistory currency={policy?.currency} />
    </Page>
  )
}

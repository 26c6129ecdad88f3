import { useState } from 'react'
import { z } from 'zod'
import { deviceOf } from '#lib/device.ts'
import { Failure } from '#ui/failure.ts'
import { Problem } from '#problems.ts'
import { SubmitButton } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { WhoYouAre } from './ConfirmYou.tsx'
import { besideField, sentenceFor } from './factor-calls.ts'
import { FirstCodes } from './FirstCodes.tsx'
import { ProvenForm } from './ProvenForm.tsx'
import { auth } from './session.ts'

const PasskeyName = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Give it a name')
    .max(60, 'The name must be at most 60 characters'),
})

/** The client asks for a security key; ours may be in the phone or the laptop as well. */
const anywhere = {
  hints: [],
  attestation: 'none',
  authenticatorSelection: { authenticatorAttachment: '', residentKey: 'preferred' },
} as never

const UNEXPECTED = 'The passkey was not made. Please try again'

export function AddPasskey({ onDone }: { onDone: () => unknown }) {
  const [proven, setProven] = useState(false)
  const [confirming, setConfirming] = useState(false)
  const add = async ({ name }: z.infer<typeof PasskeyName>) => {
    const options = { friendlyName: name }
    const { error } = await auth.mfa.webauthn.register(options, anywhere)
    if (!error) return setProven(true)
    if ('code' in error && error.code === 'mfa_factor_name_conflict') {
      throw besideField('name', 'You already have a second step with this name')
    }
    await forgetUnfinished(name)
    if ('code' in error && error.code === 'reauthentication_needed') {
      if (confirming) throw new Problem('password_needed')
      return setConfirming(true)
    }
    const refused = 'status' in error && error.status !== undefined
    throw new Failure(refused ? sentenceFor(error, UNEXPECTED) : UNEXPECTED)
  }
  if (proven) return <FirstCodes onDone={onDone} />
  return (
    <ProvenForm
      name="passkey"
      shape={PasskeyName}
      defaults={{ name: deviceOf(navigator.userAgent) ?? '' }}
      proves={() => confirming}
      onSubmit={add}
    >
      <p className="text-sm text-soft">
        A passkey is kept by your phone, computer or security key, and is unlocked with your
        fingerprint, face or PIN. It works only on this site, so nobody can trick it out of you.
      </p>
      <TextField name="name" label="Name" hint="To tell it apart from others." required />
      {confirming && <WhoYouAre />}
      <SubmitButton waiting="Follow your browser..." wide large>
        Continue
      </SubmitButton>
    </ProvenForm>
  )
}

/** Removes a passkey whose setup was cancelled in the browser, so that its name can be used again. */
async function forgetUnfinished(name: string) {
  const { data } = await auth.mfa.listFactors()
  const left = data?.all.find((one) => one.friendly_name === name && one.status === 'unverified')
  if (left) await auth.mfa.unenroll({ factorId: left.id })
}

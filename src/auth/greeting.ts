// The greeting comes once somebody is in: after the password a second step or a confirmation may still be missing.
import { useEffect } from 'react'
import { toast } from '#ui/toast.ts'

let is_due = false

export function greetAfterSignIn() {
  is_due = true
}

export function useGreeting(is_in: boolean) {
  useEffect(() => {
    if (!is_in || !is_due) return
    is_due = false
    toast('Signed in successfully!')
  }, [is_in])
}

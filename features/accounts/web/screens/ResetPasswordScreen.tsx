import { useState } from 'react'
import { Form, SubmitButton, TextField, TextLink, call, fieldErrors, links } from '@headwater/web-kit'
import { requestPasswordReset } from '../../contract/index.ts'
import { EntryFrame } from '../components/EntryFrame.tsx'

const back = <TextLink href={links.login()}>Back to log in</TextLink>

/** Requests a link to set a new password. */
export default function ResetPasswordScreen() {
  const [email, setEmail] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [sentTo, setSentTo] = useState<string>()
  if (sentTo !== undefined) {
    return (
      <EntryFrame
        title="Check your inbox"
        text={`If ${sentTo} has an account, we sent it a link to set a new password. The link works once and expires after one hour.`}
        footer={back}
      />
    )
  }
  async function submit() {
    setErrors({})
    await call(requestPasswordReset, { body: { email: email.trim() } }, { keep: true })
    setSentTo(email.trim())
  }
  return (
    <EntryFrame title="Reset your password" text="We send you a link to set a new password." footer={back}>
      <Form label="Reset your password" onSubmit={submit} onError={(error) => setErrors(fieldErrors(error))}>
        <TextField
          label="E-mail address"
          type="email"
          autoComplete="username"
          autoFocus
          required
          value={email}
          onChange={setEmail}
          error={errors.email}
        />
        <SubmitButton>Send link</SubmitButton>
      </Form>
    </EntryFrame>
  )
}

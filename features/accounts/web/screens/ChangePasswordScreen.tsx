import { useState } from 'react'
import { useParams } from 'react-router'
import { Form, SubmitButton, TextField, TextLink, call, fieldErrors, links } from '@headwater/web-kit'
import { changePassword, confirmPasswordReset } from '../../contract/index.ts'
import { EntryFrame } from '../components/EntryFrame.tsx'
import { PasswordFields, emptyPassword, passwordProblem } from '../components/PasswordFields.tsx'
import { useSessionState } from '../use-session.ts'

/** Sets a new password with the token from an e-mail or, if signed in, with the current password. */
export default function ChangePasswordScreen() {
  const { token } = useParams()
  const signedIn = useSessionState().phase === 'signed-in'
  const [password, setPassword] = useState(emptyPassword)
  const [currentPassword, setCurrentPassword] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [done, setDone] = useState(false)
  const back = <TextLink href={links.home()}>{signedIn ? 'Back' : 'Back to log in'}</TextLink>
  if (done) {
    return (
      <EntryFrame
        title="The password is set"
        text={signedIn ? 'All your other sessions have ended.' : 'You can now log in with it.'}
        footer={back}
      />
    )
  }
  if (token === undefined && !signedIn) {
    return (
      <EntryFrame
        title="Set a new password"
        text="This link is incomplete. Open the full link from the e-mail, or request a new one."
        footer={<TextLink href={links.resetPassword()}>Request a new link</TextLink>}
      />
    )
  }
  async function submit() {
    const problem = passwordProblem(password)
    setErrors(problem ? { [problem.field]: problem.message } : {})
    if (problem) return
    await (token === undefined
      ? call(changePassword, { body: { password: password.password, currentPassword } }, { keep: true })
      : call(confirmPasswordReset, { body: { token, password: password.password } }, { keep: true }))
    setDone(true)
  }
  return (
    <EntryFrame title="Set a new password" footer={back}>
      <Form label="Set a new password" onSubmit={submit} onError={(error) => setErrors(fieldErrors(error))}>
        {token === undefined ? (
          <TextField
            label="Current password"
            type="password"
            autoComplete="current-password"
            required
            autoFocus
            value={currentPassword}
            onChange={setCurrentPassword}
            error={errors.currentPassword}
          />
        ) : null}
        <PasswordFields
          value={password}
          onChange={setPassword}
          errors={errors}
          autoFocus={token !== undefined}
        />
        <SubmitButton>Set password</SubmitButton>
      </Form>
    </EntryFrame>
  )
}

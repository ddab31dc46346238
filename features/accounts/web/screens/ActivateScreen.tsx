import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import {
  ErrorState,
  Form,
  Skeleton,
  SubmitButton,
  TextLink,
  call,
  fieldErrors,
  links,
  routeKey,
  useProductConfig,
} from '@headwater/web-kit'
import { activateUser, getActivation } from '../../contract/index.ts'
import { session } from '../browser-session.ts'
import { EntryFrame } from '../components/EntryFrame.tsx'
import { PasswordFields, emptyPassword, passwordProblem } from '../components/PasswordFields.tsx'

/** Activates an account with the link from an e-mail. The link can name a template and the welcome variant. */
export default function ActivateScreen() {
  const { token = '', templateName } = useParams()
  const [search] = useSearchParams()
  const withWelcomeEmail = search.get('withWelcomeEmail') === 'true'
  const { title } = useProductConfig()
  const navigate = useNavigate()
  const [password, setPassword] = useState(emptyPassword)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const activation = useQuery({
    queryKey: routeKey(getActivation, { params: { token } }),
    queryFn: ({ signal }) => call(getActivation, { params: { token } }, { signal, keep: true }),
    staleTime: Infinity,
  })
  const back = <TextLink href={links.login()}>Back to log in</TextLink>
  if (activation.error) {
    return (
      <EntryFrame title="Activate your account" footer={back}>
        <ErrorState
          title="This link cannot be used"
          error={activation.error}
          onRetry={() => void activation.refetch()}
        />
      </EntryFrame>
    )
  }
  async function submit() {
    const problem = passwordProblem(password)
    setErrors(problem ? { [problem.field]: problem.message } : {})
    if (problem) return
    const body = { password: password.password, templateName, withWelcomeEmail }
    await session.adopt(await call(activateUser, { params: { token }, body }, { keep: true }))
    await navigate(links.home(), { replace: true })
  }
  const who = activation.data
  return (
    <EntryFrame
      title={withWelcomeEmail ? `Welcome to ${title}` : 'Activate your account'}
      text={
        who === undefined ? (
          <Skeleton lines={2} />
        ) : (
          <>
            {withWelcomeEmail ? `You have been invited to the company “${who.company}”. ` : ''}
            Choose a password for <strong>{who.userName}</strong>
            {templateName === undefined ? '' : ` to open the template “${templateName}”`}.
          </>
        )
      }
      footer={back}
    >
      <Form
        label="Activate your account"
        onSubmit={submit}
        onError={(error) => setErrors(fieldErrors(error))}
      >
        <PasswordFields value={password} onChange={setPassword} errors={errors} autoFocus />
        <SubmitButton disabled={who === undefined}>Activate</SubmitButton>
      </Form>
    </EntryFrame>
  )
}

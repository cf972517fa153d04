import '@mantine/core/styles.css';
import './console.css';
import { createTheme, type CSSVariablesResolver, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { StrataError } from '#client';
import { ErrorNotice } from './parts/notices.tsx';
import { router } from './router.tsx';
import { openSession, SessionProvider } from './session.tsx';
import { settings, styleNonce } from './settings.ts';
import { beginSignIn, finishSignIn } from './sign-in.ts';
import { ConsentPage } from './pages/consent.tsx';
import { SignedOut } from './pages/signed-out.tsx';

/** Greys and blues of enough contrast: WCAG 2.2, 1.4.3. */
const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#495057',
    '--mantine-color-placeholder': '#6a7178',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-blue-light-color': '#1864ab',
    '--mantine-color-red-light-color': '#c92a2a',
    '--mantine-color-blue-light-hover': '#d0ebff',
    '--mantine-color-red-light-hover': '#ffe3e3',
    '--mantine-color-anchor': '#1864ab',
  },
  dark: {
    '--mantine-color-dimmed': '#a6a7ab',
    '--mantine-color-placeholder': '#a6a7ab',
    '--mantine-color-anchor': '#74c0fc',
    '--mantine-color-red-light-color': '#ff8787',
  },
});

const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: 8,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // The keyboard scrolls wide tables.
  components: {
    TableScrollContainer: { defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } } },
  },
});

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The client has retried already.
      retry: false,
      refetchOnWindowFocus: true,
      throwOnError: false,
    },
  },
});

/** A session that has ended leads to the sign-in page, which returns to the same place. */
queries.getQueryCache().subscribe(({ query }) => {
  const error: unknown = query.state.error;
  if (error instanceof StrataError && error.status === 401) void beginSignIn();
});

const root = createRoot(document.querySelector('#console') ?? document.body);

const show = (content: React.ReactNode): void =>
  root.render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
        cssVariablesResolver={variables}
      >
        <QueryClientProvider client={queries}>{content}</QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );

const start = async (): Promise<void> => {
  const hasCode = new URLSearchParams(location.search).has('code');
  if (settings.authorization !== undefined) await beginSignIn({ authorization: settings.authorization });
  const finishing = finishSignIn();
  // The code of the page is loaded meanwhile. Without a code of the provider, there is no page yet.
  if (hasCode) void router.load().catch(() => {});
  const signedIn = await finishing;
  if (signedIn === null) {
    if (location.hash === '') show(<SignedOut />);
    else await beginSignIn();
    return;
  }
  const opened = await openSession(signedIn.idToken);
  if (signedIn.authorization !== null) {
    show(<ConsentPage opened={opened} request={signedIn.authorization} />);
    return;
  }
  show(
    <SessionProvider opened={opened}>
      <RouterProvider router={router} />
    </SessionProvider>,
  );
};

start().catch((error: unknown) => show(<ErrorNotice error={error} title="You could not be signed in" />));

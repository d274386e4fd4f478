import { useState } from 'react';
import { type CodeProblem, problemOf } from './code-problem.ts';

export interface CodeAttempt {
  problem: CodeProblem | undefined;
  isWaiting: boolean;
  /** Grows with each refused code; used as a React key, it empties the field. */
  attempts: number;
  submit: (code: string) => Promise<void>;
  /** Shows another problem, such as a code that could not be sent. */
  fail: (error: unknown) => void;
  clear: () => void;
}

/** Submits a code and tracks its problem. */
export function useCodeAttempt(submitCode: (code: string) => Promise<void>): CodeAttempt {
  const [problem, setProblem] = useState<CodeProblem>();
  const [isWaiting, setIsWaiting] = useState(false);
  const [attempts, setAttempts] = useState(0);

  async function submit(code: string): Promise<void> {
    setIsWaiting(true);
    setProblem(undefined);
    try {
      await submitCode(code);
    } catch (error) {
      setProblem(problemOf(error));
      setAttempts((count) => count + 1);
    } finally {
      setIsWaiting(false);
    }
  }

  return {
    problem,
    isWaiting,
    attempts,
    submit,
    fail: (error) => setProblem(problemOf(error)),
    clear: () => setProblem(undefined),
  };
}

import { announce } from './copy.ts';

/** Sends the rating without leaving the page, then offers a field for words. */
export function sendFeedback(): void {
  const form = document.querySelector<HTMLFormElement>('form.feedback');
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form, event.submitter)) fields.append(name, String(value));
    fetch(form.action, { method: 'POST', body: fields, redirect: 'manual' }).then(
      () => thank(form, fields),
      () => form.submit(),
    );
  });
}

function thank(form: HTMLFormElement, fields: URLSearchParams): void {
  const comment = form.querySelector<HTMLElement>('.comment');
  const thanks = form.querySelector<HTMLElement>('.thanks');
  const wasComment = Boolean(fields.get('comment'));
  form.querySelector('fieldset')?.setAttribute('hidden', '');
  if (thanks) {
    thanks.hidden = false;
    announce(thanks.textContent ?? '');
  }
  if (!comment) return;
  comment.hidden = wasComment;
  const rating = comment.querySelector<HTMLButtonElement>('button');
  if (rating) rating.value = fields.get('rating') ?? '';
  if (!wasComment) comment.querySelector('textarea')?.focus();
}

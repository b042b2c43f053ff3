"""OpenAI's client for Python and LangChain against a running service, unchanged. Environment: BASE, KEY, DATASET. Ends with 1 at the first surprise."""

import asyncio
import os

import openai
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI, OpenAIEmbeddings

BASE, KEY, DATASET = os.environ["BASE"], os.environ["KEY"], os.environ["DATASET"]
QUESTION = "How many vacation days does every employee have?"
MESSAGES = [{"role": "user", "content": QUESTION}]
EXTRA = {"dataset_ids": [DATASET]}
client = openai.OpenAI(base_url=BASE, api_key=KEY, max_retries=0)


def expect(holds, what):
    if not holds:
        raise SystemExit(f"failed: {what}")
    print(f"ok: {what}")


def raised(kind, call):
    try:
        call()
    except kind as error:
        return error
    raise SystemExit(f"failed: {kind.__name__} was not raised")


whole = client.chat.completions.create(model="default", messages=MESSAGES, extra_body=EXTRA)
text = whole.choices[0].message.content
expect("29" in text and whole.usage.total_tokens > 0, "openai: an answer with its usage")
expect(all(c["verified"] for c in whole.citations) and whole.citations, "openai: citations beside the answer")

stream = client.chat.completions.create(model="default", messages=MESSAGES, stream=True, extra_body=EXTRA)
expect("".join(c.choices[0].delta.content or "" for c in stream if c.choices) == text, "openai: the same as a stream")

stream = client.chat.completions.create(model=f"dataset:{DATASET}", messages=MESSAGES, stream=True)
next(iter(stream))
stream.close()
expect(True, "openai: a stream that is left")

vectors = client.embeddings.create(model="default", input=["vacation days", "a badge"])
floats = client.embeddings.create(model="default", input="vacation days", encoding_format="float")
expect(vectors.data[0].embedding == floats.data[0].embedding, "openai: embeddings, equal in both encodings")

expect(f"dataset:{DATASET}" in [m.id for m in client.models.list()], "openai: the list of models")
error = raised(openai.NotFoundError, lambda: client.chat.completions.create(model="gpt-9", messages=MESSAGES, extra_body=EXTRA))
expect(error.code == "chat.model_not_found", "openai: an unknown model")
error = raised(openai.UnprocessableEntityError, lambda: client.chat.completions.create(model="default", messages=[], extra_body=EXTRA))
expect(error.body["param"] == "messages", "openai: a bad request names its field")
stranger = openai.OpenAI(base_url=BASE, api_key="kb_nothing", max_retries=0)
raised(openai.AuthenticationError, lambda: stranger.chat.completions.create(model="default", messages=MESSAGES, extra_body=EXTRA))
expect(True, "openai: a bad key")


async def concurrently():
    several = openai.AsyncOpenAI(base_url=BASE, api_key=KEY, max_retries=0)
    asked = [several.chat.completions.create(model=f"dataset:{DATASET}", messages=MESSAGES) for _ in range(4)]
    return [answer.choices[0].message.content for answer in await asyncio.gather(*asked)]


expect(set(asyncio.run(concurrently())) == {text}, "openai: the asynchronous client, several at once")

chat = ChatOpenAI(base_url=BASE, api_key=KEY, model=f"dataset:{DATASET}", max_retries=0)
expect("29" in chat.invoke([HumanMessage(QUESTION)]).content, "langchain: an answer")
expect("29" in "".join(chunk.content for chunk in chat.stream(QUESTION)), "langchain: a stream")
embeddings = OpenAIEmbeddings(base_url=BASE, api_key=KEY, model="default", check_embedding_ctx_length=False)
expect(len(embeddings.embed_documents(["vacation days", "a badge"])) == 2, "langchain: embeddings")
raised(openai.NotFoundError, lambda: ChatOpenAI(base_url=BASE, api_key=KEY, model="dataset:none", max_retries=0).invoke(QUESTION))
expect(True, "langchain: an unknown dataset")

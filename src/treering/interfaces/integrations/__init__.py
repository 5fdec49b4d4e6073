"""A memory in the conventions of other frameworks: function calling, LangChain, LlamaIndex.

Nothing here is imported by the rest of Treering; a module needs the package it is named after.
"""

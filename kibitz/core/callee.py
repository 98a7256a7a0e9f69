"""A kernel as other kernels call it: not as machine code, but as what that is made from.

Numba makes machine code of every function that a kernel calls, once for each constant it is called with, and
wraps it for Python twice. Rules are many short functions, of which Python calls a few. So only these become
machine code; the others are optimised and linked into them. All kernels together compile in half the time.
"""

from typing import Any

from llvmlite import binding
from numba import types
from numba.core import codegen, compiler, dispatcher
from numba.core.registry import CPUDispatcher


class Callee(CPUDispatcher):  # type: ignore[misc]
    """The form of a kernel that is compiled into others."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        unwrapped = {**options, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions=unwrapped)
        self._compiler = _Compiler(function, self.targetdescr, unwrapped, {}, compiler.Compiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """One form of it is enough: small whole numbers are passed as large ones, and constants as any."""
        _, folded = self._compiler.fold_argument_types(args, kws)
        return super().get_call_template([_widened(kind) for kind in folded], {})

    def add_overload(self, cres: Any) -> None:
        """Keep a form of it, for kernels only."""
        self.overloads[tuple(cres.signature.args)] = cres


def _widened(kind: Any) -> Any:
    kind = types.unliteral(kind)
    small = isinstance(kind, types.Integer) and kind.signed and kind.bitwidth < types.int64.bitwidth
    return types.int64 if small else kind


class _Compiler(dispatcher._FunctionCompiler):  # type: ignore[misc,name-defined]
    def _compile_core(self, args: Any, return_type: Any) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = True
        context = self.targetdescr.target_context
        result = compiler.compile_extra(
            self.targetdescr.typing_context,
            context,
            self.py_func,
            args,
            return_type,
            flags,
            self.locals,
            _Linked(context.codegen(), self.py_func.__qualname__),
            self.pipeline_class,
        )
        result = result._replace(entry_point=object())  # by which Numba finds it; nobody calls that
        context.insert_user_function(result.entry_point, result.fndesc, [result.library])
        return result


class _Linked(codegen.JITCodeLibrary):  # type: ignore[misc]
    """A function with all that it calls, as LLVM has it.

    Loops are made wide in machine code only: when they were here, too, CASH's playouts took up to a quarter
    longer. The first passes are cheap: counts of arrays' users are gone before the others.
    """

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        for extent in ({"opt": 0, "cost": "cheap"}, {}):
            passes, builder = self._codegen._module_pass_manager(
                loop_vectorize=False, slp_vectorize=False, **extent
            )
            passes.run(self._final_module, builder)
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        """What is kept of it on disk: there is no object code."""
        return self.name, self._get_module_for_linking().as_bitcode()


def rebuilt(context: Any, kept: Any, function: Any, environment: Any, signature: Any, *others: Any) -> Any:
    """A kernel's form as it was kept on disk."""
    name, bitcode = kept
    library = _Linked(context.codegen(), name)
    library._final_module = binding.parse_bitcode(bitcode)
    library._finalized = True
    return compiler.compile_result(
        typing_context=context.typing_context,
        target_context=context,
        entry_point=object(),
        library=library,
        fndesc=function,
        environment=environment,
        referenced_envs=others[-1],
        signature=signature,
        objectmode=False,
        lifted=(),
    )
